import styles from './icons.module.css'
import { initialsOf, stableHue } from './stable-hue.ts'

export type IconSize = 'small' | 'normal' | 'large'

export const sizeClass = (size: IconSize): string => (size === 'normal' ? '' : (styles[size] ?? ''))

interface MonogramProps {
  /** What the letters stand for. */
  name: string
  /** The text that determines the colour; the name if absent. */
  of?: string | undefined
  size?: IconSize
  round?: boolean
}

/** Initials on a colour. The name is shown beside it, so it is hidden from screen readers. */
export function Monogram({ name, of = name, size = 'normal', round }: MonogramProps) {
  const classes = [styles.tile, styles.letters, styles[`hue${stableHue(of)}`], sizeClass(size)]
  return (
    <span aria-hidden className={[...classes, round ? styles.round : ''].join(' ')}>
      <span>{initialsOf(name)}</span>
    </span>
  )
}

interface AvatarProps {
  email: string
  name?: string | null | undefined
  size?: IconSize
}

/** A person: initials of the name, or of the address, in the colour of the address. */
export const Avatar = ({ email, name, size = 'normal' }: AvatarProps) => (
  <Monogram name={name?.trim() || email} of={email} size={size} round />
)
