import titanium from './index.js';

export const { createTitanium, TitaniumDevice } = titanium;
export default titanium;
