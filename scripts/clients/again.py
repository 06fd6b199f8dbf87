"""`again.py SESSION KIND ROUNDS`: a session of test/clients several times in one process."""
import os
import runpy
import sys

_, session, kind, rounds = sys.argv
sys.argv = [session, kind]
sys.path[0] = os.path.dirname(session)
for _ in range(int(rounds)):
    runpy.run_path(session, run_name='__main__')
