import Download from 'lucide-react/icons/download'
import { Button } from '../../../ui/buttons/button.tsx'
import { formatBytes } from '../../../ui/data/numbers.ts'
import { saveFrom } from '../../../ui/data/save-file.ts'
import { Card } from '../../../ui/page/card.tsx'
import { Column, Text } from '../../../ui/page/layout.tsx'
import { Output } from '../../../ui/panes/output.tsx'
import { saveAddress } from '../content.ts'
import { Crumbs } from '../crumbs.tsx'
import { nameOf } from '../file-names.ts'
import { MOST_UNPACKED_BYTES, type Unpacked } from './unpack.ts'
import { t } from './words.ts'

interface PackedFileProps {
  serverId: string
  path: string
  found: Unpacked
}

/** The text in a gzip file, read-only. */
export function PackedFile({ serverId, path, found }: PackedFileProps) {
  const title = t.packedTitle({ file: nameOf(path) })
  return (
    <Column gap={12}>
      <Crumbs serverId={serverId} path={path} />
      <Card
        title={title}
        actions={
          <Button
            size="small"
            icon={<Download />}
            onClick={() => saveFrom(saveAddress(serverId, path))}
          >
            {t.download}
          </Button>
        }
      >
        <Column gap={12}>
          {found.isCut ? (
            <Text muted>{t.packedCut({ most: formatBytes(MOST_UNPACKED_BYTES) })}</Text>
          ) : null}
          <Output label={title} text={found.text} most={620} />
        </Column>
      </Card>
    </Column>
  )
}
