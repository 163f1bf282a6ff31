"""In-context forgetting: does a model forget on request in a dialogue, and still know the rest?

`benchmark` is the one value the rest of the package knows it by. Rooms as in every benchmark: `settings`, `prompts`,
`plan`, `task`, `data`, `scoring`, `metrics`, `report`, `validation`; its own: `construction`, which makes items with a
language model. The README says how to add a scenario or a metric.
"""
