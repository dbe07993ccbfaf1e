import type { DrawnGlyph } from '@lodge/shared/templates/glyphs.ts'

/** On a grid of 24: the lines, and the part that has the second tone. */
export interface Drawing {
  readonly lines: string
  readonly tone: string
}

const CUBE = 'M12 3l8 4.5v9L12 21l-8-4.5v-9z'
const disc = (x: number, y: number, r: number): string =>
  `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`

/** Our own drawings, by subject. */
export const DRAWINGS: Readonly<Record<DrawnGlyph, Drawing>> = {
  axe: {
    lines: 'M5 21L14.5 9.5M12 7c2-3 5-4 8-4 .5 3.5-.5 7-3 9.5z',
    tone: 'M12 7c2-3 5-4 8-4 .5 3.5-.5 7-3 9.5z',
  },
  block: {
    lines: `${CUBE}M4 7.5l8 4.5 8-4.5M12 12v9`,
    tone: 'M12 3l8 4.5-8 4.5-8-4.5z',
  },
  bot: {
    lines: 'M5 9h14v10H5zM12 9V5M9 13.5v1.5M15 13.5v1.5M2.5 13v3M21.5 13v3',
    tone: `M5 9h14v10H5z${disc(12, 4, 1.5)}`,
  },
  braces: {
    lines:
      'M9 4H8a2 2 0 0 0-2 2v4l-2 2 2 2v4a2 2 0 0 0 2 2h1M15 4h1a2 2 0 0 1 2 2v4l2 2-2 2v4a2 2 0 0 1-2 2h-1',
    tone: disc(12, 12, 2.5),
  },
  castle: {
    lines: 'M4 21V5h3v2.5h3V5h4v2.5h3V5h3v16zM4 11h16M10 21v-4a2 2 0 0 1 4 0v4',
    tone: 'M4 11h16v10h-6v-4a2 2 0 0 0-4 0v4H4z',
  },
  cloud: {
    lines: 'M7 19a4.5 4.5 0 0 1-.5-9 6 6 0 0 1 11.5 1.5A3.8 3.8 0 0 1 17.5 19z',
    tone: 'M7 19a4.5 4.5 0 0 1-.5-9c3 0 5 2 5 4.5S9.5 19 7 19z',
  },
  cog: {
    lines: `${disc(12, 12, 6)}${disc(12, 12, 2.5)}M12 3v3M12 18v3M3 12h3M18 12h3M5.6 5.6l2.2 2.2M16.2 16.2l2.2 2.2M5.6 18.4l2.2-2.2M16.2 7.8l2.2-2.2`,
    tone: disc(12, 12, 6),
  },
  container: {
    lines: 'M3 7h18v11H3zM7 10.5v4M10.3 10.5v4M13.7 10.5v4M17 10.5v4M8 7l4-3.5L16 7',
    tone: 'M3 7h18v11H3z',
  },
  database: {
    lines:
      'M4 6c0-1.7 3.6-3 8-3s8 1.3 8 3-3.6 3-8 3-8-1.3-8-3zM4 6v12c0 1.7 3.6 3 8 3s8-1.3 8-3V6M4 12c0 1.7 3.6 3 8 3s8-1.3 8-3',
    tone: 'M4 6c0-1.7 3.6-3 8-3s8 1.3 8 3-3.6 3-8 3-8-1.3-8-3z',
  },
  flame: {
    lines:
      'M12.5 3c.5 4 5.5 5.5 5.5 11a6 6 0 0 1-12 0c0-2.5 1.5-4 2.5-5 .3 1.5 1 2.5 2 3 .5-3 0-6 2-9z',
    tone: 'M12 20a3 3 0 0 0 3-3c0-1.8-1.8-2.5-2.5-4.5C11.5 14 9 15 9 17a3 3 0 0 0 3 3z',
  },
  globe: {
    lines: `${disc(12, 12, 9)}M3 12h18M12 3c2.5 2.5 3.8 5.5 3.8 9s-1.3 6.5-3.8 9c-2.5-2.5-3.8-5.5-3.8-9S9.5 5.5 12 3z`,
    tone: 'M12 3c2.5 2.5 3.8 5.5 3.8 9s-1.3 6.5-3.8 9c-2.5-2.5-3.8-5.5-3.8-9S9.5 5.5 12 3z',
  },
  key: {
    lines: `${disc(8, 15.5, 4.5)}M11.5 12.5L20 4M16.5 7.5l3 3M13.5 10.5l2 2`,
    tone: disc(8, 15.5, 4.5),
  },
  machine: {
    lines: 'M3 4h18v12H3zM9 20h6M12 16v4M7 8l2.5 2L7 12M12 12h4',
    tone: 'M3 4h18v12H3z',
  },
  music: {
    lines: `M9 17V5l11-2v12${disc(6.5, 17, 2.5)}${disc(17.5, 15, 2.5)}`,
    tone: `${disc(6.5, 17, 2.5)}${disc(17.5, 15, 2.5)}`,
  },
  planet: {
    lines: `${disc(12, 12, 5.5)}M7 14.5c-3 2-4.5 3.5-4 4.3.8 1.2 6-.8 11.5-4.5s9.3-7.7 8.5-8.9c-.5-.8-2.5-.3-5.5.9`,
    tone: disc(12, 12, 5.5),
  },
  prompt: {
    lines: 'M3 4h18v16H3zM3 8h18M7 12l2.5 2L7 16M12 16h4',
    tone: 'M3 4h18v4H3z',
  },
  rail: {
    lines: 'M8.5 3L4 21M15.5 3L20 21M8 6h8M7 10h10M6 14.5h12M5 19h14',
    tone: 'M8.5 3h7L20 21H4z',
  },
  relay: {
    lines: `${disc(5.5, 12, 2.5)}${disc(18.5, 5.5, 2.5)}${disc(18.5, 18.5, 2.5)}M8 12h2.5C13 12 13 5.5 16 5.5M10.5 12C13 12 13 18.5 16 18.5`,
    tone: `${disc(18.5, 5.5, 2.5)}${disc(18.5, 18.5, 2.5)}`,
  },
  rocket: {
    lines: `M12 3c3.5 2.5 4.5 6 4.5 9l-1.5 4H9l-1.5-4c0-3 1-6.5 4.5-9zM7.5 12L4.5 15v4L9 16M16.5 12l3 3v4L15 16M12 18.5V21${disc(12, 9, 1.5)}`,
    tone: 'M7.5 12L4.5 15v4L9 16zM16.5 12l3 3v4L15 16z',
  },
  sheet: {
    lines: 'M5 3h9l5 5v13H5zM14 3v5h5M8.5 12.5h7M8.5 16.5h5',
    tone: 'M14 3l5 5h-5z',
  },
  shield: {
    lines: 'M12 3l8 3v5.5c0 4.5-3 8-8 9.5-5-1.5-8-5-8-9.5V6z',
    tone: 'M12 3l8 3v5.5c0 4.5-3 8-8 9.5z',
  },
  ship: {
    lines:
      'M3 15.5h18L18.5 20h-13zM12 3v12.5M12 4.5c4 1.5 6 4.5 6.5 8H12M9.5 7C7.5 8.5 6 10.5 5.5 12.5h4z',
    tone: 'M12 4.5c4 1.5 6 4.5 6.5 8H12z',
  },
  strata: {
    lines: 'M12 3l9 4.5-9 4.5-9-4.5zM3 12l9 4.5 9-4.5M3 16.5L12 21l9-4.5',
    tone: 'M12 3l9 4.5-9 4.5-9-4.5z',
  },
  sword: {
    lines: 'M20.5 3.5L20 7.5l-10 10L6.5 14l10-10zM5 12.5l6.5 6.5M8 16l-4 4.5',
    tone: 'M20.5 3.5L20 7.5l-10 10-1.7-1.7z',
  },
  tree: {
    lines:
      'M12 21v-8M12 15.5l3-2.5M8.5 21h7M12 3a4.5 4.5 0 0 1 4.3 5.7A4.2 4.2 0 0 1 15.5 17h-7a4.2 4.2 0 0 1-.8-8.3A4.5 4.5 0 0 1 12 3z',
    tone: 'M12 3a4.5 4.5 0 0 1 4.3 5.7A4.2 4.2 0 0 1 15.5 17h-7a4.2 4.2 0 0 1-.8-8.3A4.5 4.5 0 0 1 12 3z',
  },
  turf: {
    lines: `${CUBE}M4 7.5l8 4.5 8-4.5M4 10.5l2 1v2l2-.500v2l2-.300v1.8l2 .5 2-.500v-1.5l2 .300v-2.5l2-.500v-1.3l2-1`,
    tone: 'M12 3l8 4.5v3l-2 1v1.3l-2 .5v2.5l-2-.3V16l-2 .500-2-.5v-1.8l-2 .3v-2l-2 .5v-2l-2-1v-3z',
  },
  voice: {
    lines: 'M4 4h16v12h-9l-4.5 4v-4H4zM8 9v2M12 7.5v5M16 9v2',
    tone: 'M4 4h16v12h-9l-4.5 4v-4H4z',
  },
  wheel: {
    lines: `${disc(12, 12, 9)}${disc(12, 12, 2.5)}M12 14.5V21M3.5 10.5l6 1M20.5 10.5l-6 1`,
    tone: `M3.5 10.5a9 9 0 0 1 17 0l-6 1a2.5 2.5 0 0 0-5 0z`,
  },
  wrench: {
    lines:
      'M20.5 6.5l-3 3-3-.5-.5-3 3-3a5 5 0 0 0-6.5 6.5L4 16a2.8 2.8 0 0 0 4 4l6.5-6.5a5 5 0 0 0 6-7z',
    tone: 'M10.5 9.5L4 16a2.8 2.8 0 0 0 4 4l6.5-6.5z',
  },
}
