"""The port to a language model: any server that speaks OpenAI's chat completions."""

from grading.client.ask import Answer, Usage, ask
from grading.client.endpoint import Endpoint, configured_endpoint
from grading.client.errors import CallFailed

__all__ = ["Answer", "CallFailed", "Endpoint", "Usage", "ask", "configured_endpoint"]
