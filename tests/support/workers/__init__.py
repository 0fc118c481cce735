"""Real processes for end-to-end tests: one spawner forks workers that open the store themselves and do one job."""
