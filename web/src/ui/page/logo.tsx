import { brand } from '../../brand.ts'

/** The mark of the host, or Lodge's: a roof over a door. */
export function Logo() {
  const mark = brand?.images.mark
  return mark ? (
    <img src={mark} alt="" />
  ) : (
    <svg viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="var(--l-accent)" />
      <g
        fill="none"
        stroke="var(--l-accent-fg)"
        strokeWidth="2.6"
        strokeLinecap="round"
        strokeLinejoin="round"
      >
        <path d="M6 16.5 16 8l10 8.5" />
        <path d="M9.500 15.500V24h13v-8.500" />
        <path d="M14 24v-5h4v5" />
      </g>
    </svg>
  )
}
