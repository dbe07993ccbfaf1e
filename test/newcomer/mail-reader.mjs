// The workplace's mail server: prints each received mail as a line of JSON.
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS', 'AUTH'],
  onData(stream, session, done) {
    text(stream).then((raw) => {
      const to = session.envelope.rcptTo.map(({ address }) => address)
      process.stdout.write(`${JSON.stringify({ to, raw })}\n`)
      done()
    }, done)
  },
})
server.listen(25, '0.0.0.0', () => process.stdout.write('"ready"\n'))
