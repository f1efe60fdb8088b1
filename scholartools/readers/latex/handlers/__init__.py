"""Handlers of LaTeX's commands and environments.

- ``structure``: sections, front matter. ``environments``: lists, equations, floats. ``captions``, ``citations``.
- ``apacite``: entries of apacite and harvard.
- ``algorithms``: pseudo-code. ``package_files``: definitions and options of packages in the source.
- ``text_commands``: fonts, accents, boxes. ``siunitx``: numbers and units. ``ignored``: commands that print nothing.
"""
