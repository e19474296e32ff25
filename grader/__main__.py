"""`python -m grader`."""

import sys

if __name__ == "__main__":  # a grading process of a batch imports this file, and not to run it
    try:
        from grader.cli import main
    except KeyboardInterrupt:  # later ones are the command line's to answer
        print("interrupted", file=sys.stderr)
        sys.exit(130)
    main()
