//! What stands below the options in the help of each command.

pub const WHERE: &str = "\
GAME is a name and its parameters, such as connect-four:5x4; 'crabwise games' lists them. With
'outcomes' as the last, as in mnk:4x4,4,outcomes, no distances are kept, which takes less room.
Exit code: 0 done, 1 the answer is no, 2 bad input, 3 not enough room, 4 another process of a
cluster was lost, 101 a bug, 130 stopped.

EXAMPLES:
  crabwise serve
  crabwise games
  crabwise solve connect-four:4x4
  crabwise look connect-four:4x4 2 2 3
  crabwise play tictactoe";

pub const SERVE: &str = "\
Games are solved when they are opened on the page, large ones when that is asked for; tables and
strategies are kept where the other commands look for them. The same in JSON is described at
/api/openapi.json.

EXAMPLES:
  crabwise serve
  crabwise serve --port 8080 --tables ~/tables
  crabwise serve --host 0.0.0.0      let other machines in, whoever they are";

pub const GAMES: &str = "\
EXAMPLES:
  crabwise games
  crabwise games --json";

pub const RULES: &str = "\
FILE has rules in the readable form, which docs/rules.md teaches, or in the Game Description Language as
KIF. Examples: tic-tac-toe, mnk, connect-four, hex, breakthrough, dao, quixo, isolation, nim, mu-torere.
Other commands play and solve the game as rules:FILE.

EXAMPLES:
  crabwise rules my-game.rules
  crabwise rules connect-four,columns=5,rows=4
  crabwise rules tic-tac-toe --kif
  crabwise solve rules:tic-tac-toe";

pub const SOLVE: &str = "\
EXAMPLES:
  crabwise solve tictactoe
  crabwise solve connect-four:5x4 --memory 4G --explain
  crabwise solve mnk:4x4,4,outcomes
  crabwise solve nim:3-5-7 --json
  crabwise solve black-hole --local-cluster 4
  crabwise solve black-hole --hosts hosts.txt --process 0 --metrics 0.0.0.0:9187";

pub const PLAN: &str = "\
A second or two are spent on looking at positions of the game and on solving its last tiers, as far as they
are small. What the figures rest on is told with them. --memory is that of each machine.

EXAMPLES:
  crabwise plan black-hole:7,4
  crabwise plan black-hole:7,5 --machines 64 --cores 64 --memory 256G
  crabwise plan connect-four:7x6 --machines 16 --cores 32 --memory 512G --network 100G --json";

pub const LOOK: &str = "\
Some games can be searched: without a table, a small one of these is solved first, and a large one
answered by search, which tells no distances.

EXAMPLES:
  crabwise look tictactoe
  crabwise look tictactoe b2 a1
  crabwise look nim:3-5-7 --solve
  crabwise look cycles:k4 -1,0,0,0,0,0
  crabwise look cycles:cycle=3 '[[+2,3],[3,-1],[1,2]]'
  crabwise look chess:KQK '8/8/8/8/8/2k5/8/K6Q w' --solve
  crabwise look graph:harbour.csv 6A --solve
  crabwise look cycles:wheel=12 --search
  crabwise look tictactoe --seed 7
  crabwise look boxers:3x3 --labels
  crabwise look dark-hex:2x3,abrupt a1 b2 taken
  crabwise look pong-hau-ki --draws Z --weights 1,3,9";

pub const DRAW: &str = "\
Which moves win is looked up in the table or, in games that can do without, found by search; their
tables are made first where they are small, as for 'look'.

EXAMPLES:
  crabwise draw cycles:k4 -o k4.svg
  crabwise draw cycles:k4 1-2 3-4 --losing -o k4.svg
  crabwise draw nim:1-2 --positions --solve -o nim.svg
  crabwise draw nim:3-4-5 --positions --solve -o - --format dot | dot -Tpdf > nim.pdf";

pub const BOOK: &str = "\
One move for each turn of the winner, all moves of the other side. Of moves that win equally fast
the one is taken that makes the book shorter. Positions are written down once.

EXAMPLES:
  crabwise book cycles:wheel=5
  crabwise book nim:1-2-3 --solve
  crabwise book cycles:cycle=5 -o cycle.svg
  crabwise book nim:3-5-7 --solve -o nim.json";

pub const SURVEY: &str = "\
Each row is printed, and written to FILE, as soon as it is done; with the same FILE a survey that
was stopped goes on where it was. Games that need a table are solved into it.
The exit code is 1 if a theorem is contradicted.

Of a game in the dark all variants are solved on all boards from A to B, each within --time and
--memory: a row has the value, by how much it may be wrong, and how large the game is. A game for
which that is not enough has a row that says so.

EXAMPLES:
  crabwise survey dark-hex --to 3x3 --time 30s -o dark-hex.csv
  crabwise survey cycles --family wheel --from 3 --to 12
  crabwise survey cycles --family theta=3,n,5 --from 2 --to 8 -o theta.csv
  crabwise survey kayles --from 1 --to 20
  crabwise survey cycles --family ladder=2xn --from 2 --to 5 --table";

pub const PLAY: &str = "\
At the prompt: a move or the next decision of it, 'moves', 'hint', 'undo', 'help' or 'quit'.

In games with hidden information 'perfect', or 'strategy', plays by strategies, for which the
game is laid out. The others need nothing but the rules, on any board: 'ismcts' (information-set
tree search), 'mc' (games to the end at random), 'pone' (wins where that is certain, as far as a
search tells, else at random) and 'random'. ismcts and mc think for a second; ismcts=5000 is so
many iterations a move, and ismcts=3s so long a time. By iterations the same --seed is the same
game again.

EXAMPLES:
  crabwise play tictactoe --solve
  crabwise play connect-four:4x4 --first perfect --second human
  crabwise play tictactoe --first perfect --second random --seed 7
  crabwise play boxers:3x3 --first perfect --second human --draws z
  crabwise play connect-four:7x6 --second horizon=6
  crabwise play dark-hex:2x3,abrupt --second human --first perfect
  crabwise play dark-hex:4x4 --second ismcts=2s
  crabwise play dark-hex:5x5 --first mc=500 --second ismcts=2000 --seed 3";

pub const LEAGUE: &str = "\
Players of a game in which everything is seen are 'random', 'perfect' (any of the best moves), 'z' and
'Z' (of drawn moves that with the deepest or the densest traps) and 'horizon=N' (looks N moves
ahead, and needs no table). Those of a game with hidden information are 'random', 'pone' (wins where
that is certain, else at random), 'mc=N' (N games to the end at random, before each move),
'ismcts=N' (information-set tree search, N iterations a move), 'q=N' (Q-learning, N games against
itself) and files of strategies; mc, ismcts and q alone stand
for mc=200, ismcts=500 and q=100000. All play all, as first player and as second. Only q and files of
strategies need the game laid out.
What players get from each other whose strategies are known is worked out instead of played, as far
as the memory allows. With -o each pairing is written down as soon as it is done, and the same command
goes on where it was stopped: in FILE if that ends in .csv, else in FILE.part until it is done.

EXAMPLES:
  crabwise league boxers:3x3 --players perfect,z,Z,horizon=2,horizon=4,random
  crabwise league kuhn --players random,mc=20,q=2000
  crabwise league dark-hex:3x3,abrupt --players random,pone,mc,ismcts --games 200 --seed 7
  crabwise league dark-hex:4x4 --players random,pone,mc,ismcts=1000 --games 100
  crabwise league phantom-tictactoe --players pone,ismcts=1000,best.strategy -o league.svg
  crabwise league leduc --players random,mc,q -o league.csv";

pub const LABEL: &str = "\
A label is for the player who has just moved onto the position, the island. G3: whoever moves on
loses in 2 moves; P2: wins in 1; T4: neither, and the deepest mistake there loses in 4.
The game is solved first if that has not been done.

EXAMPLES:
  crabwise label boxers:3x3
  crabwise label cruzados --literal
  crabwise label graph:harbour.csv --json
  crabwise label cruzados -o cruzados.svg
  crabwise label cruzados --trace
  crabwise label graph:harbour.csv --trace -o rounds.svg
  crabwise label boxers:3x3 --repeats
  crabwise label tokens:5 --format keys
  crabwise label graph:harbour.dot --format csv -o labels.csv
  crabwise label graph:labels.csv";

pub const ADVISE: &str = "\
Needs no table. What is won or lost within the horizon is proven; among the moves of which
nothing is known, the one behind which the other side can go wrong most is taken, by the density Z.
With neither --depth nor --time it looks for 5 seconds.

EXAMPLES:
  crabwise advise connect-four:7x6 --depth 8
  crabwise advise connect-four:7x6 4 4 4 --time 10s
  crabwise advise hex:7x7 --depth 6 --seed 7 --json";

pub const STATS: &str = "\
EXAMPLES:
  crabwise stats tictactoe
  crabwise stats tictactoe --json
  crabwise stats connect-four:4x4 --svg connect-four.svg";

pub const VERIFY: &str = "\
EXAMPLES:
  crabwise verify tictactoe
  crabwise verify connect-four:5x4 --sample 100000 --seed 7
  crabwise verify isolation:4x4 --against table.bin
  crabwise verify tictactoe --against positions.csv
  crabwise verify kuhn --against kuhn.strat

A FILE FOR --against IS ONE OF:
  the original's file    an array (table.bin), or rows under their name (scores.csv)
  a list, CSV or JSON    columns position and value, outcome, remoteness or move; so exports are,
                         and labels, columns key and label
  strategies             of a game with hidden information, judged again by best responses";

pub const EXPORT: &str = "\
EXAMPLES:
  crabwise export tictactoe --format csv -o tictactoe.csv
  crabwise export nim:1-2 --format dot -o - | dot -Tsvg > nim.svg
  crabwise export tictactoe --format json --only decided -o tictactoe.json
  crabwise export black-hole --format original -o black-hole
  crabwise export black-hole --format original --only decided -o black-hole";

pub const CHECK: &str = "\
EXAMPLES:
  crabwise check tictactoe
  crabwise check hex:3x3 --seed 7";

pub const BENCH: &str = "\
EXAMPLES:
  crabwise bench
  crabwise bench --threads 1 --json";
