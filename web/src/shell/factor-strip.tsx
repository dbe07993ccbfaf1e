import { Link } from '@tanstack/react-router'
import ShieldAlert from 'lucide-react/icons/shield-alert'
import X from 'lucide-react/icons/x'
import { useState } from 'react'
import { paths } from '../paths.ts'
import { useMe } from '../session/session.ts'
import { IconButton } from '../ui/buttons/button.tsx'
import { Ago } from '../ui/data/time.tsx'
import { rich } from '../ui/page/rich.ts'
import { isPutOff, putOff } from './put-off.ts'
import styles from './strip.module.css'
import { t } from './words.ts'

/**
 * Reminds an administrator without a second factor of the deadline, in one line that they can put
 * off until tomorrow.
 */
export function FactorStrip() {
  const { id, secondFactor, secondFactorDueAt } = useMe()
  const [hidden, setHidden] = useState(() => isPutOff(id, secondFactorDueAt, new Date()))
  if (secondFactor !== 'due' || secondFactorDueAt === null || hidden) return null
  const when = () => <Ago at={secondFactorDueAt} />
  const dismiss = () => {
    putOff(id, new Date())
    setHidden(true)
  }
  return (
    <div className={`${styles.strip} ${styles.calm}`} role="status">
      <ShieldAlert aria-hidden />
      <span className={styles.told}>
        <span className={styles.long}>{rich(t.factorDue({ when }))}</span>
        <span className={styles.short}>{rich(t.factorDueShort({ when }))}</span>
      </span>
      <Link to={paths.accountSecurity}>{t.setUpFactor}</Link>
      <IconButton size="small" label={t.hideFactor} onClick={dismiss}>
        <X />
      </IconButton>
    </div>
  )
}
