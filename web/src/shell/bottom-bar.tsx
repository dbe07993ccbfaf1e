import MenuIcon from 'lucide-react/icons/menu'
import styles from './navigation.module.css'
import { EntryLink, useNavigation } from './navigation.tsx'
import { t } from './words.ts'

/** As many as fit on the narrowest phone beside "More". */
const MOST = 4

/** The first pages of the navigation at the thumb of a phone; the rest behind "More". */
export function BottomBar({ onMore }: { onMore: () => void }) {
  const entries = useNavigation().flatMap((group) => group.entries)
  return (
    <nav className={styles.bottom} aria-label={t.mostUsed}>
      {entries.slice(0, MOST).map((entry) => (
        <EntryLink key={entry.to} entry={entry} />
      ))}
      <button type="button" aria-haspopup="dialog" onClick={onMore}>
        <MenuIcon aria-hidden />
        <span>{t.more}</span>
      </button>
    </nav>
  )
}
