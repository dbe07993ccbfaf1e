import type { MarkGlyph } from '@lodge/shared/templates/glyphs.ts'
import { loadCode } from '../../load-code.ts'

type File = () => Promise<{ readonly default: string }>

/**
 * Logos of projects (simple-icons; licences in `public/mark-licences.txt`), a chunk each: most pages
 * need none, a list one or two.
 */
const FILES: Readonly<Record<MarkGlyph, File>> = {
  almalinux: () => import('simple-icons/icons/almalinux.svg?raw'),
  alpinelinux: () => import('simple-icons/icons/alpinelinux.svg?raw'),
  archlinux: () => import('simple-icons/icons/archlinux.svg?raw'),
  debian: () => import('simple-icons/icons/debian.svg?raw'),
  freebsd: () => import('simple-icons/icons/freebsd.svg?raw'),
  linux: () => import('simple-icons/icons/linux.svg?raw'),
  mariadb: () => import('simple-icons/icons/mariadb.svg?raw'),
  mongodb: () => import('simple-icons/icons/mongodb.svg?raw'),
  nodedotjs: () => import('simple-icons/icons/nodedotjs.svg?raw'),
  opensuse: () => import('simple-icons/icons/opensuse.svg?raw'),
  postgresql: () => import('simple-icons/icons/postgresql.svg?raw'),
  python: () => import('simple-icons/icons/python.svg?raw'),
  redis: () => import('simple-icons/icons/redis.svg?raw'),
  rockylinux: () => import('simple-icons/icons/rockylinux.svg?raw'),
  ubuntu: () => import('simple-icons/icons/ubuntu.svg?raw'),
}

/** The outline of a mark, on a grid of 24. */
export const outlineOf = async (mark: MarkGlyph): Promise<string> =>
  / d="([^"]+)"/.exec((await loadCode(FILES[mark])).default)?.[1] ?? ''
