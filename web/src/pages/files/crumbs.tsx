import { Link } from '@tanstack/react-router'
import { paths } from '../../paths.ts'
import { foldersTo, nameOf } from './file-names.ts'
import styles from './files.module.css'
import { t } from './words.ts'

interface CrumbsProps {
  serverId: string
  /** A folder, or a file in the last one. */
  path: string
}

/** The parent folders, each a link and a drop target. */
export function Crumbs({ serverId, path }: CrumbsProps) {
  const all = foldersTo(path)
  return (
    <nav className={styles.crumbs} aria-label={t.folders}>
      <ol>
        {all.map((folder, at) => {
          const name = folder === '/' ? t.root : nameOf(folder)
          return (
            <li key={folder}>
              {at === all.length - 1 ? (
                <span aria-current="page">{name}</span>
              ) : (
                <Link
                  to={paths.serverFiles}
                  params={{ id: serverId }}
                  search={folder === '/' ? {} : { path: folder }}
                  data-folder={folder}
                >
                  {name}
                </Link>
              )}
            </li>
          )
        })}
      </ol>
    </nav>
  )
}
