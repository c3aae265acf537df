"""Compares our scoring with trackeval's on the same tracks. A difference ends the run."""

import numpy as np
import scoring
from trackeval.metrics import CLEAR, HOTA, Identity


def against_trackeval(made):
    """Compares every sequence and prints one line."""
    worst = 0.0
    for truth, told in made:
        s = scoring.Sequence.of(truth, told)
        ours = scoring.score(s)
        data = {
            "num_timesteps": len(truth), "gt_ids": s.truth, "tracker_ids": s.told, "similarity_scores": s.similar,
            "num_gt_ids": s.people, "num_tracker_ids": s.tracks,
            "num_gt_dets": sum(map(len, s.truth)), "num_tracker_dets": sum(map(len, s.told)),
        }
        quiet = {"PRINT_CONFIG": False}
        hota, identity, clear = HOTA().eval_sequence(data), Identity(quiet).eval_sequence(data), CLEAR(quiet).eval_sequence(data)
        differences = [abs(ours.hota - float(np.mean(hota["HOTA"]))), abs(ours.idf1 - identity["IDF1"]),
                       abs(ours.switches - clear["IDSW"])]
        worst = max(worst, *differences)
        if worst > 1e-6:
            raise SystemExit(f"check: HOTA, IDF1 and switches differ from trackeval's by {differences}")
    print(f"scoring checked against trackeval on {len(made)} sequences: largest difference {worst:.1e}")
