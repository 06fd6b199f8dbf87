/** Preload (`node --import`): every connection that this process would open ends it with code 99. */
import net from 'node:net'

net.Socket.prototype.connect = function connect() {
  process.stderr.write('an outbound connection was attempted\n')
  process.exit(99)
}
