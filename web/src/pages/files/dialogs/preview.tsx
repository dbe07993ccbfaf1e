import type { Entry } from '@lodge/shared/files.ts'
import Download from 'lucide-react/icons/download'
import { useState } from 'react'
import { Button } from '../../../ui/buttons/button.tsx'
import { formatBytes } from '../../../ui/data/numbers.ts'
import { saveFrom } from '../../../ui/data/save-file.ts'
import { Note } from '../../../ui/notices/note.tsx'
import { Column, Row, Text } from '../../../ui/page/layout.tsx'
import { saveAddress, showAddress } from '../content.ts'
import styles from './dialogs.module.css'
import { t } from './words.ts'

/** A picture of the server. */
export function Preview({ serverId, entry }: { serverId: string; entry: Entry }) {
  const [broken, setBroken] = useState(false)
  return (
    <Column gap={12}>
      {broken ? (
        <Note tone="warn">{t.pictureBroken}</Note>
      ) : (
        <div className={styles.picture}>
          <img
            src={showAddress(serverId, entry.path)}
            alt={t.pictureOf({ file: entry.name })}
            onError={() => setBroken(true)}
          />
        </div>
      )}
      <Row between>
        <Text muted small>
          {formatBytes(entry.sizeBytes)}
        </Text>
        <Button icon={<Download />} onClick={() => saveFrom(saveAddress(serverId, entry.path))}>
          {t.download}
        </Button>
      </Row>
    </Column>
  )
}
