export default { key: 'new', label: 'New crawl', icon: 'plus', mount() {} };
