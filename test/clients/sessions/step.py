"""What the sessions in Python share: how a step is done and its result printed."""
import json
import os

# Names of the only steps to be done; None for all.
STEPS = json.loads(os.environ.get('CLIENT_STEPS', 'null'))


def step(name, work):
    """Does one step and prints its result, or what went wrong, as one line of JSON."""
    if STEPS is not None and name not in STEPS:
        return
    try:
        line = {'step': name, 'result': work()}
    except Exception as error:  # whatever a client raises is a result
        line = {'step': name, 'error': f'{type(error).__name__}: {error}'}
    print(json.dumps(line, ensure_ascii=False, default=str), flush=True)
