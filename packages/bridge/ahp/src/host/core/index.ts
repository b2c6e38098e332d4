/** The decisions of the host, without time, processes or sockets. */
export * from './batch.js'
export * from './claim-policy.js'
export * from './out-queue.js'
export * from './replay-buffer.js'
export * from './text.js'
export * from './token-bucket.js'
