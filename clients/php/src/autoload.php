<?php

// For those who do without Composer: require this file.

declare(strict_types=1);

spl_autoload_register(static function (string $class): void {
    if (str_starts_with($class, 'Gangan\\')) {
        $file = __DIR__ . '/' . str_replace('\\', '/', substr($class, strlen('Gangan\\'))) . '.php';
        if (is_file($file)) {
            require $file;
        }
    }
});
