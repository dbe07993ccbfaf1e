import { Link } from '@tanstack/react-router'
import ShieldAlert from 'lucide-react/icons/shield-alert'
import { paths } from '../paths.ts'
import { useMe } from '../session/session.ts'
import { Ago } from '../ui/data/time.tsx'
import styles from './shell.module.css'

/** Shows an administrator without a second factor the deadline for setting one up. */
export function FactorStrip() {
  const { secondFactor, secondFactorDueAt } = useMe()
  if (secondFactor !== 'due' || secondFactorDueAt === null) return null
  return (
    <div className={styles.strip} role="status">
      <ShieldAlert aria-hidden />
      <span>
        Administrators work with a second factor. Without one, this account closes{' '}
        <Ago at={secondFactorDueAt} />. <Link to={paths.accountSecurity}>Set it up now</Link>
      </span>
    </div>
  )
}
