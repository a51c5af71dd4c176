"""The embedded model: a small real model behind a real server inside this process, without key or outside service.

``models`` fetches its file, ``server`` runs it. Needs the extra ``local``.
"""
