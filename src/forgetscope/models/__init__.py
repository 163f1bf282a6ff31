"""Language models forgetscope brings along: they run in this process, without keys, without a GPU.

How they hang together, from the weights up:

- `weights`: finds a GGUF file, reads its header, refuses what the engine could not read.
- `decoding`: how the next token is chosen, as one frozen value with a label for the results.
- `backend`: OpenVINO GenAI's continuous-batching pipeline behind a small typed protocol.
- `engine`: the one thread that owns a backend; requests join the running batch.
- `local`: Inspect's `ModelAPI` over an engine (``forgetscope/smollm2``, ``forgetscope/gguf``).
- `provider`: the names behind ``forgetscope/...`` and who answers to each.

To add a model: write a factory that returns a `ModelAPI` and register it in `provider` with `register_model`.

Nothing is imported here: `import forgetscope.models` costs nothing, OpenVINO is loaded at the first request.
"""
