"""A detector with an anchor for a device at rest and a second hypothesis for one that seems to have jumped: the reference, not a rival.

Plain Python and NumPy.
"""

import math

import numpy as np


def detect(t, P, acc, C, r, z1=0.0, zs=0.0, zlone=0.25, zhold=1.0, zstill=0.5, kd=0.8):
    H = lambda a, b: math.sqrt(a * a + b * b)
    n, k = len(t), len(C)
    cx, cy, m = C[:, 0], C[:, 1], max(0.1 * r, 20.0)
    S = np.zeros((n, k), bool)
    st = np.zeros(k, bool)
    cin, cout = np.zeros(k, int), np.zeros(k, int)
    sh, shn = np.zeros(k, bool), np.zeros(k, int)  # what the jump hypothesis would have entered
    p = None
    for i in range(n):
        x, y = P[i]
        a = acc[i]
        s = max(a, 8.0)
        T = t[i]
        if p is not None and a > max(100.0, r / 2):
            S[i] = st
            continue
        d = np.hypot(x - cx, y - cy)
        conf = False
        if p is None or T - tl > 1800.0:  # the first fix, or a long gap
            p = (x, y); sl = s; tl = tp = tq = t0 = T; q = A = p; W = 1 / s**2; ex = ey = v = 0.0
            still = False; sus = None; dt = 1e9; how = "main"; step = 0.0; eA = 0.0; first = True
        else:
            first = False
            dt = T - tl; d1 = T - tp; tp = T
            DA = max(25.0, 2.5 * math.sqrt(s * s + 1 / W + 36.0))
            eA = H(x - A[0], y - A[1])
            step = H(x - p[0], y - p[1])
            B = min(50.0, 1.5 * v + dt) * dt + 4 * math.sqrt(s * s + sl * sl)
            home = still and eA <= DA
            how = "main"
            if sus and sus[4]:  # a jump is pending: whose fix is this?
                es = H(x - sus[0], y - sus[1])
                Bs = min(50.0, 1.5 * v + d1) * d1 + 4 * math.sqrt(s * s + sus[3] ** 2)
                if es <= Bs and es < step and not home: how = "same"
                elif step > B and not home: how = "new"
            elif still: how = "main" if home else "same" if sus else "new"
            elif dt <= 30.0 and step > B: how = "new"
            if how == "main": sus = None
            else:
                sus = (x, y, T, s, d1 <= 30.0 and step > B, 1) if how == "new" else (x, y, sus[2], s, sus[4], sus[5] + 1)
                wait = 60.0 if sus[4] else 8.0 if d1 <= 30.0 else 0.0 if eA > 4 * DA else 240.0
                how = "hold"
                if sus[5] >= 2 and T - sus[2] >= wait: how = "conf"
        if how == "hold":
            if sus[4]:
                if sus[5] == 1: shn[:] = 0; sh[:] = False
                shn = np.where(d <= r - z1 * s, shn + 1, 0)
                sh |= shn >= 2
            elif dt > 30.0: st = st | (d <= r - zhold * s)  # sparse: a good fix alone may enter, never leave
            S[i] = st
            continue
        pp = p
        sw = how == "main" and not first and dt <= 75.0 and not still
        if how == "conf":
            A = (x, y); W = 1 / s**2; t0 = T; ex = ey = 0.0; still = False; sus = None; q = A; tq = T; conf = True
        elif not first:
            sh[:] = False
            if T - tq >= 10.0: v = min(50.0, H(x - q[0], y - q[1]) / (T - tq)); q = (x, y); tq = T
            if eA <= DA:
                Te = max(90.0, 5 * dt); al = dt / (Te + dt); c = min(1.0, 2 * s / max(eA, 1e-9))
                ex += al * (c * (x - A[0]) - ex); ey += al * (c * (y - A[1]) - ey)
                hx = min(dt / 600.0, 3.0)
                w = hx * (27 + hx * hx) / (27 + 9 * hx * hx) / s**2 * min(1.0, (1.5 * s / max(eA, 1e-9)) ** 2)  # tanh(dt / 2 tau), tau 300 s
                W += w; A = (A[0] + w / W * (x - A[0]), A[1] + w / W * (y - A[1])); W = min(W, 60 / s**2)
                calm = H(ex, ey) <= kd * s or dt > 30.0
                if T - t0 >= 90.0:
                    still = calm
                    if not calm: A = (x, y); W = 1 / s**2; t0 = T; ex = ey = 0.0
            else: A = (x, y); W = 1 / s**2; t0 = T; ex = ey = 0.0; still = False
            sw = sw and not still
        p = (x, y); sl = s; tl = T
        if still:  # at rest the anchor decides
            u = math.sqrt(1 / W + 36.0)
            dA = np.hypot(A[0] - cx, A[1] - cy)
            st = (st | (dA <= r - zstill * u)) & ~(dA - u > r + m)
            cin[:] = 0; cout[:] = 0
        else:
            cin = np.where(d <= r, cin + 1, 0)
            ent = (d <= r - (zlone if dt > 20.0 else z1) * s) | (cin >= 2)
            if conf: ent |= sh
            if sw:  # the way between two accepted fixes
                dx, dy = x - pp[0], y - pp[1]
                L = dx * dx + dy * dy
                if L > 1.0:
                    f = np.clip(((cx - pp[0]) * dx + (cy - pp[1]) * dy) / L, 0, 1)
                    ent |= np.hypot(cx - pp[0] - f * dx, cy - pp[1] - f * dy) <= r - zs * s
            out = st & (d - min(a, 150.0) > r + m)
            cout = np.where(out, cout + 1 + conf, np.where(d <= r, 0, cout))
            st = np.where(cout >= 2, False, st | ent)
            cout = np.where(st, cout, 0)
        S[i] = st
    return S


def anchor(view):
    """The reference for circles of several sizes: it is asked once for each radius, for a gate of it depends on that."""
    inside = np.zeros((len(view.t), len(view.r)), bool)
    for radius in np.unique(view.r):
        there = view.r == radius
        centres = np.column_stack([view.cx[there], view.cy[there]])
        inside[:, there] = detect(view.t, np.column_stack([view.x, view.y]), view.acc, centres, radius)
    return inside
