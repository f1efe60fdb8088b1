# What all studies have in common. Nothing is left half made: a step that fails, or is interrupted, is done again. A target is
# written under another name, and gets its own when it is whole, as by --output: a process that is killed deletes nothing.
SHELL := bash
.SHELLFLAGS := -e -o pipefail -c
.DELETE_ON_ERROR:
# Options of an earlier make hold until others are given; what used another value is made again.
q := '
given = $(foreach one,$(.VARIABLES),$(if $(filter command,$(firstword $(origin $(one)))),'$(one)=$(subst $(q),$(q)\$(q)$(q),$($(one)))'))
include $(shell ../options.py '$(firstword -$(MAKEFLAGS))' $(given))
# make SHARDS=4: each step that works record by record in four parts at once, by SUBMIT="sbatch --wait" as an array of jobs.
ifdef SHARDS
export SHARDS SUBMIT
.ONESHELL:
SHELL := ../parts.py
.SHELLFLAGS = $@
endif
# Steps end with 1 where some records have a fault: they are told on standard error, and go on with their reasons. Nothing else
# passes, of none of the commands of a pipe: `pipefail` has the status of the last that failed, and hides what stopped one before it.
OK := || [[ " $${PIPESTATUS[*]}" =~ ^(\ [01])+$$ ]]
# What is scored beside other things: where no record has what it needs (3: blank sheets), it has no rows. No model is asked here.
NONE := || [[ " $${PIPESTATUS[*]}" =~ ^(\ [013])+$$ ]]
# What is fetched is not fetched where what is read of it is there: files of one's own take its place, and stay as they are.
.SECONDARY: papers.jsonl submitted.jsonl reviewed.jsonl fetched.jsonl known.jsonl around-references.jsonl around-citations.jsonl \
  around-similar.jsonl
MODEL ?= openai/gpt-4o-2024-08-06
SEED ?= 0
RATERS ?= anna,ben,cleo,dora,eve
export ST_MODEL = $(MODEL)
# Who fills in the sheets, and in which form; PEOPLE gets the folder of a batch.
PEOPLE ?= ../people.sh
SHEET ?= xlsx

comma := ,

# $(call ask,KIND,OPTIONS): the batch of the target's name is given out once, and never made again: people have it. A paper
# that has nothing to ask about is told; where none has, the batch is empty, and the study goes on.
define ask
[ -d $(@:.answers=) ] || st-annotate assign $(1) $(2) --allow-empty --output $(@:.answers=) $(OK)
$(back)
endef
# $(back): the sheets of the batch of the target's name are given out, and read when they are back. The log names the rows that
# cannot be read, for the page of tables: they cost themselves alone. Nobody is asked where raters agree on all.
none = test -f $(@:.answers=)/key.jsonl && test ! -s $(@:.answers=)/key.jsonl
define back
[ -e $(@:.answers=)/given ] || { $(none); } || { st-annotate export $(@:.answers=) --to $(SHEET) && touch $(@:.answers=)/given; }
{ $(none); } || $(PEOPLE) $(@:.answers=)
if $(none); then : > $@.part; else \
  st-annotate import $(@:.answers=) $(@:.answers=)/raters/*/*.$(SHEET) --last --output $@.part 2>&1 | tee $(@:.answers=)/import.log >&2 $(OK); fi
mv $@.part $@
endef

# A sheet that comes back later, or is corrected, is read: the answers of its batch are older than it.
$(foreach sheet,$(wildcard */raters/*/*.$(SHEET)),$(eval $(firstword $(subst /, ,$(sheet))).answers: $(sheet)))

# $(call rater,N): the name of the Nth.
rater = $(word $(1),$(subst $(comma), ,$(RATERS)))
# $(call add,COMMAND): one system more, in what is being made.
add = $(1) $@.part --output $@.more.part $(OK); mv $@.more.part $@.part
# $(call each,COMMAND,SUFFIX,MORE): a step by each model of MODELS in turn, and more; its system has the model's name and the suffix.
MODELS ?= $(MODEL)
define each
cp $< $@.part
for one in $(MODELS); do $(call add,$(1) --model $$one --system $${one##*/}$(2)); done
$(3)
mv $@.part $@
endef

clean:
	rm -rf *.jsonl *.jsonl.part *.part *.gold tables options options.mk
.PHONY: all tables clean

check: tables  # on made data alone: what came out beside what is true
	python ../made/check.py $(notdir $(CURDIR))
calls: all  # the replies of the model, for others to repeat the study: st-cache import, then ST_REPLAY=1 make
	st-cache export $(USED:%=--used-by %) --with-reviews --output calls.jsonl.gz
.PHONY: check calls
