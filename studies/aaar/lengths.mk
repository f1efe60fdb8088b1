# Figures 4 and 5: what models do with ever more words of a paper. Nobody rates these runs.
# Words on each side of an equation, and before the first experiment: the paper has tokens, of which a word has about 1.3.
CONTEXTS ?= 100 300 500 1000 1500
LENGTHS ?= 100 750 1500 3000 4500 6000 7500
# $(call scale,COMMAND,NUMBERS): a system more for each model and each number of words.
scale = for one in $(MODELS); do for words in $(2); do $(call add,$(1) $$words --model $$one --system $${one##*/}-$$words); done; done

nearer.jsonl: questions.jsonl
	cp $< $@.part
	$(call scale,st-judge equation --context-words,$(CONTEXTS))
	mv $@.part $@
longer.jsonl: designs.jsonl
	cp $< $@.part
	$(call scale,st-generate experiments --max-words,$(LENGTHS))
	$(call add,st-judge entail)
	$(call scale,st-generate explanations --max-words,$(LENGTHS))
	mv $@.part $@
lengths.jsonl: nearer.jsonl longer.jsonl
	st-score equations --cluster paper --summary nearer.jsonl > $@.part $(NONE)
	st-score entail --summary longer.jsonl >> $@.part $(NONE); mv $@.part $@
