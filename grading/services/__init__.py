"""Every change to a critique's rows. Keyword-only, in one transaction, with `now` as an argument."""
