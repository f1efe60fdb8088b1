# How the judge is asked; without --layout row, once for each pair, as published.
MATCH := st-judge match --layout row --model $(JUDGE)

# Table 5: how far what authors state, and what reviewers name, is found. The judge's replies are those of judged.jsonl.
origins.jsonl: judged.jsonl
	: > $@.part
	for of in author review; do jq -c --arg of $$of '.stated = [.limitations[]? | select(.origin == $$of or .origin == "both")]' $< \
	  | $(MATCH) --reference stated | st-score match --reference stated --summary | jq -c --arg of $$of '.of = $$of' >> $@.part $(OK); done
	mv $@.part $@
