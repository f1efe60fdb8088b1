"""What each job means: its built-in method, its prompts, its verification."""
