import styles from './art.module.css'
import type { ArtName } from './art-names.ts'

interface Picture {
  /** What stands in front; the usual house if absent. */
  readonly near?: string
  /** What is still to come, in dashes. */
  readonly planned?: string
  /** Behind it; the usual roofs if absent. */
  readonly far?: string
  /** What is lit. */
  readonly lit: string
}

const disc = (x: number, y: number, r: number): string =>
  `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`

const ROOFS = 'M4 80l32-30 32 30M92 80l32-30 32 30'
const HOUSE = 'M48 80V52l32-26 32 26v28'
const WINDOW = 'M74 56h12v14H74z'
const PAIR = 'M26 80V58l20-16 20 16v22M94 80V58l20-16 20 16v22'

/** One street on a grid of 160 by 88: roofs behind roofs, and a window that is lit. */
const PICTURES: Readonly<Record<ArtName, Picture>> = {
  bell: {
    near: `${HOUSE}M70 70c2-2 2-5 2-8a8 8 0 0 1 16 0c0 3 0 6 2 8zM78 74h4`,
    lit: 'M78 42h4v5h-4z',
  },
  calm: { far: `${ROOFS}M134 8v4M134 40v4M116 26h4M148 26h4`, lit: `${WINDOW}${disc(134, 26, 8)}` },
  copies: { far: 'M58 70V42l32-26 32 26v28M68 60V32l32-26 32 26v28', lit: WINDOW },
  disc: { near: `${HOUSE}${disc(80, 62, 12)}`, lit: disc(80, 62, 3.5) },
  done: {
    near: `${HOUSE}M97 40V26h7v19M101 20c-5-4 4-7 0-13M73 80V64h14v16`,
    lit: 'M57 56h9v10h-9zM94 56h9v10h-9zM76 44h8v8h-8z',
  },
  error: {
    near: 'M48 80V52l17-14M76 29l4-3 32 26v28M65 38l5 4-6 6 6 5M76 29l-3 6 6 4',
    lit: WINDOW,
  },
  house: { lit: WINDOW },
  jobs: {
    near: `${HOUSE}M130 80V16H92M130 16l12 10v6M130 26l12 0M98 16v12M95 28h6v5h-6z`,
    lit: WINDOW,
  },
  key: { near: `${HOUSE}${disc(70, 64, 6)}M76 64h16v5M87 64v4`, lit: 'M76 42h8v8h-8z' },
  locked: { near: `${HOUSE}M68 80V58a12 12 0 0 1 24 0v22`, lit: 'M78 62h4v8h-4z' },
  mail: { near: `${HOUSE}M64 55h32v19H64zM64 55l16 11 16-11`, lit: 'M76 40h8v8h-8z' },
  missing: {
    near: 'M10 80V58l20-16 20 16v22M110 80V58l20-16 20 16v22M80 80V62M68 48h24v14H68z',
    far: 'M62 80h36',
    lit: 'M25 60h10v10H25z',
  },
  network: {
    near: `${PAIR}M46 42c8-14 60-14 68 0M80 32V14M74 14h12`,
    far: '',
    lit: 'M40 62h12v10H40zM108 62h12v10h-12z',
  },
  nodes: { near: `${PAIR}M66 68h28M108 62h12v10h-12z`, lit: 'M40 62h12v10H40z' },
  offline: {
    near: `${HOUSE}${WINDOW}M112 52c8 0 9-7 16-7M137 40c7-2 10-2 15-2M131 38l-2 4M135 46l2-4`,
    lit: 'M34 12a9 9 0 1 0 9 11 8 8 0 0 1-9-11z',
  },
  people: { near: PAIR, far: 'M60 80l20-18 20 18', lit: 'M40 62h12v10H40zM108 62h12v10h-12z' },
  plans: { near: `${HOUSE}M112 54h22M118 54v6M128 54v6M113 60h20v13h-20z`, lit: WINDOW },
  search: { near: `${HOUSE}${disc(80, 58, 12)}M89 67l10 10`, lit: 'M76 52h8v12h-8z' },
  servers: { near: `${HOUSE}M58 56h44M58 64h44M58 72h44`, lit: 'M93 58h5v4h-5zM93 66h5v4h-5z' },
  story: { near: `${HOUSE}M62 58h36M62 65h24M62 72h30`, lit: 'M76 42h8v8h-8z' },
  templates: { near: '', planned: `${HOUSE}M74 80V62h12v18`, lit: 'M76 44h8v8h-8z' },
}

/** An illustration; the sentence beside it says what it means. */
export default function Art({ name }: { name: ArtName }) {
  const { near = HOUSE, far = ROOFS, planned, lit } = PICTURES[name]
  return (
    <svg className={styles.art} viewBox="0 0 160 88" aria-hidden="true">
      <path className={styles.far} d={far} />
      <path className={styles.ground} d="M0 80h160" />
      <path className={styles.near} d={near} />
      {planned === undefined ? null : <path className={styles.planned} d={planned} />}
      <path className={styles.lit} d={lit} />
    </svg>
  )
}
