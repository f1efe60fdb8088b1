"""Pseudo-code and listings: the content of their captions, a line for each step; without a caption they are text."""

from __future__ import annotations

import pytest
from support.latex import body, check

ALGPSEUDOCODE = r"""\begin{algorithm}[t]\caption{Greedy}\begin{algorithmic}[1]\Require ledger $G$\Ensure set $S$ of \emph{debts}
\Procedure{Main}{$a$, b} \State $S \gets \emptyset$\For{each $d$ in \ref{s}}\If{$b > 0$ \And c}\State settle \Comment{cheap}
\Else\State carry \Call{Union}{$a$} over\EndIf

\EndFor \Repeat \State wait \Until{$y$} \State set \[ u=v \] \State\Return $S$\EndProcedure\end{algorithmic}\end{algorithm}"""
ALGORITHM2E = r"""\begin{algorithm2e}[H]\SetKwInOut{Sum}{Total}\SetKwFunction{Union}{Merge}\SetKwProg{Fn}{Function}{:}{end}\SetKwData{Left}{left}
\KwIn{A graph}\Sum{one} $x$\; \Fn{\Union{$a$}}{do it\;}
\While{not done}{\Left is read\tcp*[r]{first} \eIf{ok}{go\; stop\;}{halt\;}} \Repeat{c}{work\;} \KwRet{$T$}\;\caption{Second}\end{algorithm2e}"""
UPPER = r"""\begin{algorithm}\begin{algorithmic}\REQUIRE a \FORALL{x} \STATE one \IF{two} [three] \TO four \ELSIF{five} \RETURN six
\ENDIF\ENDFOR\end{algorithmic}\caption{Old}\end{algorithm}"""
TABBING = r"\begin{algorithm}\caption{Tab}\begin{tabbing} x \= is 3 \\[2pt] \> y \end{tabbing}\end{algorithm}"
LISTING = "\\begin{lstlisting}[caption={Code \\emph{one}}]\ndef f():\n\n    pass\n\\end{lstlisting}"
FIGURE = "\\begin{figure}\\begin{verbatim}\none\n\\end{verbatim}\\caption{A}\\begin{minted}{c}\ntwo\n\\end{minted}\\caption{B}\\end{figure}"


@pytest.mark.parametrize(
    ("source", "contents"),
    [
        (
            ALGPSEUDOCODE,
            ["Given: ledger $G$|Ensure: set $S$ of debts|procedure Main($a$, b)|$S \\gets \\emptyset$|for each $d$ in 1 do|"
             "if $b > 0$ and c then|settle ▷ cheap|else|carry Union($a$) over|end if|end for|repeat|wait|until $y$|set|u=v|"
             "return $S$|end procedure"],
        ),
        (
            ALGORITHM2E,
            ["Input: A graph|Total: one|$x$|Function Merge($a$) :|do it|while not done do|left is read // first|if ok then|go|"
             "stop|else|halt|repeat|work|until c|return $T$"],
        ),
        (UPPER, ["Given: a|for all x do|one|if two then|[three] to four|else if five then|return six|end if|end for"]),
        (TABBING, ["x is 3|y"]),
        (LISTING, ["def f():|    pass"]),
        (FIGURE, ["one", "two"]),
        (FIGURE.replace("\\begin{verb", "\\caption{C}\\begin{verb", 1).replace("\\caption{B}", ""), ["one", "two"]),
        (f"\\begin{{figure}}{LISTING}\\end{{figure}}", ["def f():|    pass"]),
        (LISTING.replace("[", "[language=C, numbers={left},\n "), ["def f():|    pass"]),
        (r"\begin{figure}\includegraphics{x}\caption{No steps.}\end{figure}", [None]),
    ],
)  # fmt: skip
def test_steps_are_the_content_of_their_caption(source: str, contents: list[str | None]) -> None:
    record = body(f"\\label{{s}}Before {source} after.", r"\algrenewcommand\algorithmicrequire{\textbf{Given:}}")
    check(record)
    assert "Code" not in source or record["captions"][0]["text"] == "Listing 1: Code one"
    found = [one.get("content") for one in record["captions"]]
    assert found == [one and one.replace("|", "\n") for one in contents]
    assert record["sections"][0]["text"].replace("\n\nu=v", "") == "Before after."
    assert record["warnings"] == []


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (r"\begin{algorithmic}\State one \State two $$ u=v $$\end{algorithmic}", "Before\n\none\ntwo\nu=v\n\nafter."),
        (r"\begin{algorithm}\State one \State two\end{algorithm}", "Before after.\n\none\ntwo"),
        ("\\begin{figure}\\begin{verbatim}\none\n\\end{verbatim}\\end{figure}", "Before after.\n\none"),
        (r"\State \If{x} \Return", "Before x after."),
    ],
)
def test_steps_without_a_caption_are_text(source: str, text: str) -> None:
    record = body(f"Before {source} after.")
    check(record)
    assert (record["sections"][0]["text"], record["captions"]) == (text, [])


def test_listings_of_files_are_told_of_and_notes_in_steps_are_footnotes() -> None:
    record = body(
        r"Text. \lstinputlisting[language=C]{a.c} \begin{figure}\inputminted{python}{b.py}\caption{B}\end{figure}"
        r"\begin{algorithm2e*}\caption{F}\KwIn{one\footnote{A note.}}\end{algorithm2e*}"
    )
    assert [one["text"].partition(":")[0] for one in record["warnings"]] == ["a.c", "b.py"]
    assert [one["text"] for one in record["footnotes"]] == ["A note."]
    assert (record["captions"][1]["label"], record["captions"][1]["content"]) == ("Algorithm 1", "Input: one")
