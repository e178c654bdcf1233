# SPDX-License-Identifier: Apache-2.0
"""What to record next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, List

from ._notebook import plan_fragment


@dataclass(frozen=True)
class Plan:
    """What to record next: the fewest recordings that settle the rules which could not tell (docs/plan.md)."""

    data: Dict[str, Any]
    """The document of schema kdiag.plan/1."""

    @property
    def recordings(self) -> List[Dict[str, Any]]:
        """The recordings of all runs: `how`, `command`, `overhead`, `size`, `settles`."""
        return [recording for plan in self.data["plans"] for recording in plan["recordings"]]

    def __repr__(self) -> str:
        return f"<kdiag.Plan: {len(self.recordings)} recordings>"

    def _repr_html_(self) -> str:
        return plan_fragment(self.data)
