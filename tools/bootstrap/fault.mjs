/** An expected error. People see only its message, without a stack trace. */
export class Fault extends Error {}
