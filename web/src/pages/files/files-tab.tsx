import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { paths } from '../../paths.ts'
import { callTab } from '../../ui/page/page.tsx'
import { part } from '../../ui/page/part.tsx'
import { useLacking } from '../servers/one/use-rights.ts'
import { useServer } from '../servers/one/use-server.ts'
import type { Doing } from './doing.ts'
import { nameOf } from './file-names.ts'
import styles from './files.module.css'
import { FilesBar } from './files-bar.tsx'
import { FolderView } from './folder-view.tsx'
import { useHidden } from './hidden.ts'
import { names } from './names.ts'
import { UnfinishedNote } from './unfinished-note.tsx'
import { chosenOf, pick } from './upload/collect.ts'
import { useUpload } from './upload/use-upload.ts'
import { useCan } from './use-can.ts'
import { useDelete } from './use-delete.ts'
import { useJobNews } from './use-job-news.ts'

const DoingDialogs = part(() => import('./dialogs/doing-dialogs.tsx'))
const SftpDialog = part(() => import('./sftp/sftp-dialog.tsx'))
const BinDialog = part(() => import('./bin/bin-dialog.tsx'))
const SpaceDialog = part(() => import('./space/space-dialog.tsx'))
const FindFiles = part(() => import('./find/find-files.tsx'))

/** The files of the server on this page; the URL names the folder. */
export default function FilesTab() {
  const server = useServer()
  const { path: folder = '/' } = useSearch({ from: '/in/servers/$id/files' })
  useEffect(() => callTab(nameOf(folder) || names.files), [folder])
  // Keyed, because selection and dialogs belong to a folder.
  return <Folder key={`${server.id} ${folder}`} folder={folder} />
}

function Folder({ folder }: { folder: string }) {
  const server = useServer()
  const can = useCan(server)
  const navigate = useNavigate()
  const upload = useUpload(server.id)
  const [doing, setDoing] = useState<Doing>()
  const [asked, setAsked] = useState(false)
  const [finding, setFinding] = useState(false)
  const [hidden, setHidden] = useHidden()
  const [sftp, setSftp] = useState(false)
  const [bin, setBin] = useState(false)
  const [space, setSpace] = useState(false)
  const lacking = useLacking(server.id)
  useJobNews(server.id)
  const ask = (next: Doing): void => {
    setAsked(true)
    setDoing(next)
  }
  const remove = useDelete(server.id, (entries) =>
    ask({ what: 'delete', entries, forGood: 'noRoom' }),
  )
  const start = (next: Doing): void => {
    if (next.what === 'delete' && next.forGood === undefined) remove(next.entries)
    else ask(next)
  }
  const go = (path: string): void =>
    void navigate({
      to: paths.serverFiles,
      params: { id: server.id },
      search: path === '/' ? {} : { path },
    })
  return (
    <div className={styles.tab}>
      <UnfinishedNote serverId={server.id} />
      <FilesBar
        serverId={server.id}
        folder={folder}
        cannotWrite={can.write}
        finding={finding}
        hidden={hidden}
        onFind={() => setFinding(!finding)}
        onHidden={() => setHidden(!hidden)}
        onSftp={
          lacking('GET /api/servers/{id}/sftp', 'files.sftp') ? undefined : () => setSftp(true)
        }
        onBin={() => setBin(true)}
        onSpace={() => setSpace(true)}
        onDo={start}
        onPick={(isFolder) => void pick(isFolder).then((files) => upload(chosenOf(files, folder)))}
      />
      {finding ? <FindFiles serverId={server.id} folder={folder} /> : null}
      <FolderView
        server={server}
        folder={folder}
        can={can}
        hidden={hidden}
        onHidden={() => setHidden(true)}
        onDo={start}
        onGo={go}
      />
      {bin ? (
        <BinDialog serverId={server.id} can={can} opened onClose={() => setBin(false)} />
      ) : null}
      {space ? (
        <SpaceDialog
          serverId={server.id}
          cannotDelete={can.delete}
          opened
          onClose={() => setSpace(false)}
          onDelete={(entry) => start({ what: 'delete', entries: [entry] })}
          onBin={() => {
            setSpace(false)
            setBin(true)
          }}
        />
      ) : null}
      {sftp ? <SftpDialog serverId={server.id} opened onClose={() => setSftp(false)} /> : null}
      {asked ? (
        <DoingDialogs
          serverId={server.id}
          folder={folder}
          doing={doing}
          onClose={() => setDoing(undefined)}
        />
      ) : null}
    </div>
  )
}
