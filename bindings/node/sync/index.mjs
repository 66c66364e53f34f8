import sync from './index.js';

export const { Sync } = sync;
