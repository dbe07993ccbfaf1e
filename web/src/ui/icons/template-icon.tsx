import { type Glyph, isGlyph } from '@lodge/shared/templates/glyphs.ts'
import { type ComponentType, lazy, Suspense } from 'react'
import { loadCode } from '../../load-code.ts'
import { type IconSize, Monogram, sizeClass } from './avatar.tsx'
import styles from './icons.module.css'
import { systemGlyph } from './system-glyph.ts'

// The pictures are in separate chunks: a list is shown before they arrive.
const GlyphView = lazy<ComponentType<{ glyph: Glyph }>>(() =>
  loadCode(() => import('./glyph-view.tsx')).catch(() => ({ default: () => null })),
)

/** A picture of the set on a tile. */
export const GlyphTile = ({ glyph, size = 'normal' }: { glyph: Glyph; size?: IconSize }) => (
  <span aria-hidden className={`${styles.tile} ${sizeClass(size)}`}>
    <Suspense fallback={null}>
      <GlyphView glyph={glyph} />
    </Suspense>
  </span>
)

interface TemplateIconProps {
  /** From the API: the name of a picture in the set, a URL, or null. */
  icon: string | null
  name: string
  size?: IconSize
}

/** The icon of a template, or of something created from it. Its name is shown beside it. */
export function TemplateIcon({ icon, name, size = 'normal' }: TemplateIconProps) {
  if (icon === null) return <Monogram name={name} size={size} />
  if (isGlyph(icon)) return <GlyphTile glyph={icon} size={size} />
  // Only pictures from our own origin and data URLs: nothing is requested from other hosts.
  if (!icon.startsWith('/api/') && !icon.startsWith('data:image/'))
    return <Monogram name={name} size={size} />
  return (
    <span aria-hidden className={`${styles.tile} ${sizeClass(size)}`}>
      <img src={icon} alt="" loading="lazy" decoding="async" />
    </span>
  )
}

interface ServerIconProps {
  server: {
    kind: 'container' | 'vm'
    icon: Glyph | null
    templateIcon: string | null
    templateName: string
  }
  size?: IconSize
}

/** The icon of a server: its own, otherwise that of its template or operating system. */
export const ServerIcon = ({ server, size = 'normal' }: ServerIconProps) =>
  server.icon !== null ? (
    <GlyphTile glyph={server.icon} size={size} />
  ) : server.kind === 'vm' ? (
    <GlyphTile glyph={systemGlyph(server.templateName)} size={size} />
  ) : (
    <TemplateIcon icon={server.templateIcon} name={server.templateName} size={size} />
  )
