import Search from 'lucide-react/icons/search'
import { openPalette } from '../ui/dialogs/palette-store.ts'
import styles from './shell.module.css'

export function PaletteButton() {
  return (
    <button type="button" className={styles.palette} onClick={openPalette}>
      <Search aria-hidden />
      <span>Search and commands</span>
      <kbd className={styles.kbd}>Ctrl K</kbd>
    </button>
  )
}
