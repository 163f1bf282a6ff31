"""From figures to what a person reads: findings in words, tables, charts. No numbers are made here."""
