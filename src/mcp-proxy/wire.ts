/** How sending one message ended. */
export type SendEnd =
  /** It is with the server; an answer, if there is one, came or comes as a message. */
  | { readonly end: 'delivered' }
  /** Not a byte of it left. */
  | { readonly end: 'not_sent'; readonly reason: string }
  /** The server's transport refused it before it was looked at. */
  | { readonly end: 'refused'; readonly reason: string }
  /** It left, or part of it, and no answer can come any more. */
  | { readonly end: 'lost'; readonly reason: string };

/** One connection with a server: a process, or a session over HTTP. */
export interface Wire {
  /** Sends one JSON-RPC message; never rejects. */
  send(text: string): Promise<SendEnd>;
  /** Ends the connection, gently first; resolves once it has ended. */
  close(): Promise<void>;
}

/** What a connection tells. */
export interface WireEvents {
  onMessage(text: string): void;
  /** Called once, when no message can come or go any more; not after `close`. */
  onClosed(reason: string): void;
}

/** Opens a connection; throws where there can never be one. */
export type OpenWire = (events: WireEvents) => Wire;
