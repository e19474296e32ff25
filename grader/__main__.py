"""`python -m grader`."""

if __name__ == "__main__":  # a grading process of a batch imports this file, and not to run it
    from grader.cli import main

    main()
