import type { MarkedServer } from '@lodge/shared/servers.ts'
import Star from 'lucide-react/icons/star'
import { useViewing } from '../../session/session.ts'
import { IconButton } from '../../ui/buttons/button.tsx'
import styles from './favourite-button.module.css'
import { useMark } from './use-mark.ts'
import { t } from './words.ts'

/** The star of a server, which only this person sees. */
export function FavouriteButton({ server }: { server: MarkedServer }) {
  const mark = useMark(server)
  const viewing = useViewing()
  return (
    <IconButton
      label={t.favourite({ server: server.name })}
      size="small"
      aria-pressed={server.favourite}
      className={styles.star ?? ''}
      disabledBecause={viewing ? t.stopViewing : undefined}
      onClick={() => mark.mutate({ favourite: !server.favourite })}
    >
      <Star />
    </IconButton>
  )
}
