// Loaded into every process that must not outlive the one that started it: a kill of `npm start`
// reaches npm and its shell only, and a kill -9 lets nobody tell the children.
const parent = process.ppid

const watch = setInterval(() => {
  if (process.ppid === parent) return
  clearInterval(watch)
  process.kill(process.pid, 'SIGTERM')
}, 300)
watch.unref()
