"""The skills by their ids, which begin at 1."""

from judge import MIDDLES, NAMES

SKILLS = {mode: [(kind, thing, pad) for kind in kinds for thing in range(len(NAMES)) for pad in range(len(MIDDLES))]
          for mode, kinds in {'picks': ('pick', 'place'), 'moves': ('move',)}.items()}
