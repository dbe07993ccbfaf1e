import type { Glyph } from '@lodge/shared/templates/glyphs.ts'

const SYSTEMS: readonly (readonly [RegExp, Glyph])[] = [
  [/\balma/i, 'almalinux'],
  [/\balpine/i, 'alpinelinux'],
  [/\barch\b/i, 'archlinux'],
  [/\bdebian/i, 'debian'],
  [/\bfreebsd/i, 'freebsd'],
  [/\b(open)?suse/i, 'opensuse'],
  [/\brocky/i, 'rockylinux'],
  [/\bubuntu/i, 'ubuntu'],
  [/\b(fedora|linux)/i, 'linux'],
]

/** The logo of the operating system that a text names; otherwise a machine. */
export const systemGlyph = (text: string): Glyph =>
  SYSTEMS.find(([pattern]) => pattern.test(text))?.[1] ?? 'machine'
