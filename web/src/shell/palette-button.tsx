import Search from 'lucide-react/icons/search'
import { openPalette } from '../ui/palette-store.ts'
import styles from './shell.module.css'

export function PaletteButton() {
  return (
    <button
      type="button"
      className={styles.palette}
      onClick={openPalette}
      aria-label="Search and commands Ctrl K"
    >
      <Search aria-hidden />
      <span aria-hidden>Search and commands</span>
      <kbd className={styles.kbd} aria-hidden>
        Ctrl K
      </kbd>
    </button>
  )
}
