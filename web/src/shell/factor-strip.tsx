import { Link } from '@tanstack/react-router'
import ShieldAlert from 'lucide-react/icons/shield-alert'
import X from 'lucide-react/icons/x'
import { useState } from 'react'
import { paths } from '../paths.ts'
import { useMe } from '../session/session.ts'
import { IconButton } from '../ui/buttons/button.tsx'
import { Ago } from '../ui/data/time.tsx'
import { isPutOff, putOff } from './put-off.ts'
import styles from './strip.module.css'

/**
 * Reminds an administrator without a second factor of the deadline, in one line that they can put
 * off until tomorrow.
 */
export function FactorStrip() {
  const { id, secondFactor, secondFactorDueAt } = useMe()
  const [hidden, setHidden] = useState(() => isPutOff(id, secondFactorDueAt, new Date()))
  if (secondFactor !== 'due' || secondFactorDueAt === null || hidden) return null
  const dismiss = () => {
    putOff(id, new Date())
    setHidden(true)
  }
  return (
    <div className={`${styles.strip} ${styles.calm}`} role="status">
      <ShieldAlert aria-hidden />
      <span className={styles.told}>
        <span className={styles.long}>Administrators work with a second factor. Yours</span>
        <span className={styles.short}>Your second factor</span> is due{' '}
        <Ago at={secondFactorDueAt} />. <Link to={paths.accountSecurity}>Set it up</Link>
      </span>
      <IconButton size="small" label="Hide until tomorrow" onClick={dismiss}>
        <X />
      </IconButton>
    </div>
  )
}
