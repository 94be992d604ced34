"""Whether this process was asked to end: calls that are under way are given up then, and their work is queued again."""

import threading

stopping = threading.Event()
