/**
 * The pictures that a template can name instead of bringing its own. They are drawn for Lodge by
 * subject, not by trademark; those of databases, languages and distributions are the projects' own
 * marks. The panel draws them (`web/src/ui/icons`).
 */
export const DRAWN_GLYPHS = [
  'axe',
  'block',
  'bot',
  'braces',
  'castle',
  'cloud',
  'cog',
  'container',
  'database',
  'flame',
  'globe',
  'key',
  'machine',
  'music',
  'planet',
  'prompt',
  'rail',
  'relay',
  'rocket',
  'sheet',
  'shield',
  'ship',
  'strata',
  'sword',
  'tree',
  'turf',
  'voice',
  'wheel',
  'wrench',
] as const
export type DrawnGlyph = (typeof DRAWN_GLYPHS)[number]

/** Marks of projects; `web/public/mark-licences.txt` says whose and on which terms. */
export const MARK_GLYPHS = [
  'almalinux',
  'alpinelinux',
  'archlinux',
  'debian',
  'freebsd',
  'linux',
  'mariadb',
  'mongodb',
  'nodedotjs',
  'opensuse',
  'postgresql',
  'python',
  'redis',
  'rockylinux',
  'ubuntu',
] as const
export type MarkGlyph = (typeof MARK_GLYPHS)[number]

export type Glyph = DrawnGlyph | MarkGlyph

const GLYPHS: ReadonlySet<string> = new Set([...DRAWN_GLYPHS, ...MARK_GLYPHS])
const DRAWN: ReadonlySet<string> = new Set(DRAWN_GLYPHS)

/** Whether a text is the name of a picture of the set. */
export const isGlyph = (text: string): text is Glyph => GLYPHS.has(text)

/** Whether a picture of the set is one of our drawings. */
export const isDrawn = (glyph: Glyph): glyph is DrawnGlyph => DRAWN.has(glyph)
