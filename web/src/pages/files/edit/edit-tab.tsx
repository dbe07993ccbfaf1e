import { useSearch } from '@tanstack/react-router'
import Download from 'lucide-react/icons/download'
import RefreshCw from 'lucide-react/icons/refresh-cw'
import { useEffect } from 'react'
import { ApiError } from '../../../api.ts'
import { paths } from '../../../paths.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { LinkButton } from '../../../ui/buttons/link.tsx'
import { formatBytes } from '../../../ui/data/numbers.ts'
import { saveFrom } from '../../../ui/data/save-file.ts'
import { Empty, LoadFailed, Skeletons } from '../../../ui/notices/states.tsx'
import { Card } from '../../../ui/page/card.tsx'
import { Column } from '../../../ui/page/layout.tsx'
import { callTab } from '../../../ui/page/page.tsx'
import { Output } from '../../../ui/panes/output.tsx'
import { useServer } from '../../servers/one/use-server.ts'
import { saveAddress } from '../content.ts'
import { Crumbs } from '../crumbs.tsx'
import { folderOf, nameOf } from '../file-names.ts'
import { useCan } from '../use-can.ts'
import { PackedFile } from './packed-file.tsx'
import { TextEditor } from './text-editor.tsx'
import { MOST_BYTES, useFile } from './use-file.ts'
import { t } from './words.ts'

const GONE = ['file_not_found', 'is_a_folder', 'validation_failed']

/** One file of a server as text. */
export default function EditTab() {
  const { path = '/' } = useSearch({ from: '/in/servers/$id/files/edit' })
  useEffect(() => callTab(nameOf(path)), [path])
  return <OpenFileView key={path} path={path} />
}

function OpenFileView({ path }: { path: string }) {
  const server = useServer()
  const can = useCan(server)
  const file = useFile(server.id, path)
  const { data, error } = file
  if (data?.kind === 'text') {
    return (
      <TextEditor
        key={data.etag}
        server={server}
        path={path}
        opened={data}
        readOnly={can.write}
        onReload={() => file.refetch({ throwOnError: true })}
      />
    )
  }
  if (data?.kind === 'packed')
    return <PackedFile serverId={server.id} path={path} found={data.found} />
  const download = (
    <Button icon={<Download />} onClick={() => saveFrom(saveAddress(server.id, path))}>
      {t.download}
    </Button>
  )
  return (
    <Column gap={12}>
      <Crumbs serverId={server.id} path={path} />
      <Card>
        {data?.kind === 'binary' ? (
          <Empty title={t.binaryTitle} art="disc" action={download}>
            {t.binaryText({ size: formatBytes(data.entry.sizeBytes) })}
          </Empty>
        ) : data?.kind === 'large' ? (
          <Empty title={t.tooLargeTitle} art="disc" action={download}>
            {t.tooLargeText({
              size: formatBytes(data.entry.sizeBytes),
              most: formatBytes(MOST_BYTES),
            })}
          </Empty>
        ) : error instanceof ApiError && GONE.includes(error.problem.code) ? (
          <Empty
            title={t.goneTitle}
            art="missing"
            action={
              <LinkButton
                to={paths.serverFiles}
                params={{ id: server.id }}
                search={{ path: folderOf(path) }}
              >
                {t.toFolder}
              </LinkButton>
            }
          >
            {t.goneText({ path })}
          </Empty>
        ) : error ? (
          <LoadFailed error={error} onRetry={() => void file.refetch()} />
        ) : (
          <Skeletons lines={12} />
        )}
      </Card>
      {data?.kind === 'large' && data.tail !== undefined ? (
        <Card
          title={t.endOf({ file: nameOf(path) })}
          actions={
            <Button
              size="small"
              icon={<RefreshCw />}
              busy={file.isFetching}
              onClick={() => void file.refetch()}
            >
              {t.refresh}
            </Button>
          }
        >
          <Output label={t.endOf({ file: nameOf(path) })} text={data.tail} most={520} />
        </Card>
      ) : null}
    </Column>
  )
}
