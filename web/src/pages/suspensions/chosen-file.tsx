import type { Attachment } from '@lodge/shared/attachments.ts'
import X from 'lucide-react/icons/x'
import { useState } from 'react'
import { IconButton } from '../../ui/buttons/button.tsx'
import { formatBytes } from '../../ui/data/numbers.ts'
import { Text } from '../../ui/page/layout.tsx'
import styles from './attached.module.css'
import { t } from './words.ts'

interface ChosenFileProps {
  file: Pick<Attachment, 'name' | 'sizeBytes'>
  /** The object URL of a picture. */
  picture: string | undefined
  onRemove: () => void
}

/** A file for the message, with a button to remove it. */
export function ChosenFile({ file: { name, sizeBytes }, picture, onRemove }: ChosenFileProps) {
  // For a broken picture, or a format that this browser cannot show.
  const [lost, setLost] = useState(false)
  return (
    <span className={styles.chosen}>
      {picture === undefined || lost ? null : (
        <img src={picture} alt="" decoding="async" onError={() => setLost(true)} />
      )}
      <Text clip title={name}>
        {name}
      </Text>
      <small>{formatBytes(sizeBytes)}</small>
      <IconButton size="small" label={t.removeFile({ name })} onClick={onRemove}>
        <X />
      </IconButton>
    </span>
  )
}
