-- MySQL dump 10.13  Distrib 8.0.39, for Linux (x86_64)
--
-- Host: localhost    Database: whmcs
-- ------------------------------------------------------
/*!40101 SET NAMES utf8mb4 */;
/*!40014 SET @OLD_UNIQUE_CHECKS=@@UNIQUE_CHECKS, UNIQUE_CHECKS=0 */;

DROP TABLE IF EXISTS `tbladmins`;
CREATE TABLE `tbladmins` (
  `id` int NOT NULL AUTO_INCREMENT,
  `notes` text COMMENT 'what; they (wrote)',
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

LOCK TABLES `tbladmins` WRITE;
/*!40000 ALTER TABLE `tbladmins` DISABLE KEYS */;
INSERT INTO `tbladmins` (`id`, `notes`) VALUES (1,'\'); INSERT INTO `tblclients` (`id`) VALUES (\'99\'); --');
/*!40000 ALTER TABLE `tbladmins` ENABLE KEYS */;
UNLOCK TABLES;

INSERT INTO `tblcurrencies` (`id`, `code`, `prefix`, `default`) VALUES (1,'EUR','€',1),(2,'JPY','¥',0),(3,'XBT','B',0);

INSERT INTO `tblclients` (`id`, `uuid`, `firstname`, `lastname`, `companyname`, `email`, `address1`, `address2`, `city`, `state`, `postcode`, `country`, `phonenumber`, `password`, `currency`, `credit`, `language`, `tax_id`, `status`) VALUES
(1,'u1','Ann','O&#039;Brien','Brien &amp; Co','Ann@RUN.example.com','Main St 1','','Graz','','8010','AT','+43','$2y$10$abcdefghijklmnopqrstuv',1,12.50,'german','ATU12345678','Active'),
(2,'u2','<b>Bob</b>','=HYPERLINK(\"x\")','','bob@RUN.example.com','Line 1\r\nLine 2','','Wien','','1010','AT','','',2,500.00,'','','Inactive'),
(3,'u3','Ann','Again','','ANN@RUN.example.com','','','','','','','','',1,5.00,'','','Active'),
(4,'u4','Cora','Closed','','cora@RUN.example.com','','','','','','','','',1,1.00,'','','Closed');
INSERT INTO `tblclients` (`id`, `uuid`, `firstname`, `lastname`, `companyname`, `email`, `address1`, `address2`, `city`, `state`, `postcode`, `country`, `phonenumber`, `password`, `currency`, `credit`, `language`, `status`) VALUES
(5,'u5','Dan','Double-Coin','','dan@RUN.example.com','','','','','','','','',3,0.00,'','Active'),
(6,'u6','Eve','Debtor','','eve@RUN.example.com','','','','','','','','',1,-3.00,'','Active'),
(7,'u7','No','Address',NULL,'=1+1','','','','','','','','',1,0.00,'','Active'),
(8,'u8','Here','Already','','here@RUN.example.com','','','','','','','','',1,0.00,'','Active');

INSERT INTO `tblproducts` (`id`, `type`, `gid`, `name`, `description`, `paytype`, `hidden`) VALUES (1,'server',1,'Small RUN','&lt;b&gt;4 GB&lt;/b&gt;<br />\n1 core','recurring',0),(2,'server',1,'Once RUN','','onetime',0),(3,'server',1,'Mapped RUN','','recurring',1);

INSERT INTO `tblpricing` (`id`, `type`, `currency`, `relid`, `msetupfee`, `qsetupfee`, `ssetupfee`, `asetupfee`, `bsetupfee`, `tsetupfee`, `monthly`, `quarterly`, `semiannually`, `annually`, `biennially`, `triennially`) VALUES
(1,'product',1,1,2.00,0.00,0.00,0.00,0.00,0.00,9.99,-1.00,-1.00,99.90,-1.00,-1.00),
(2,'product',2,1,0.00,0.00,0.00,0.00,0.00,0.00,1000.00,-1.00,-1.00,-1.00,-1.00,-1.00),
(3,'product',3,1,0.00,0.00,0.00,0.00,0.00,0.00,0.01,-1.00,-1.00,-1.00,-1.00,-1.00),
(4,'product',1,2,0.00,0.00,0.00,0.00,0.00,0.00,50.00,-1.00,-1.00,-1.00,-1.00,-1.00),
(5,'addon',1,1,0.00,0.00,0.00,0.00,0.00,0.00,77.00,-1.00,-1.00,-1.00,-1.00,-1.00);

DELIMITER ;;
CREATE TRIGGER t BEFORE INSERT ON tblhosting FOR EACH ROW BEGIN INSERT INTO tblhosting (id) VALUES (NEW.id); END ;;
DELIMITER ;

INSERT INTO `tblhosting` (`id`, `userid`, `packageid`, `domain`, `regdate`, `nextduedate`, `nextinvoicedate`, `billingcycle`, `amount`, `domainstatus`) VALUES
(1,1,1,'a.example','2024-01-31','2090-03-31','2090-03-31','Monthly',9.99,'Active'),
(2,1,1,'b.example','2024-01-31','2090-03-31','2090-04-30','Monthly',7.50,'Active'),
(3,2,1,'c.example','2024-02-01','2026-03-31','2026-03-31','Monthly',800.00,'Active'),
(4,1,1,'d.example','2024-02-01','2026-03-31','2026-03-31','Monthly',6.00,'Suspended'),
(5,1,2,'e.example','2024-02-01','0000-00-00','0000-00-00','One Time',50.00,'Active'),
(6,1,3,'f.example','2024-02-01','2090-05-15','2090-05-15','Annually',120.00,'Active'),
(7,1,1,'g.example','2024-02-01','2090-05-15','2090-05-15','Monthly',9.99,'Terminated'),
(8,1,1,'h.example','2024-02-01','2090-05-15','2090-05-15','Monthly',9.99,'Pending'),
(9,3,1,'i.example','2024-02-01','2090-05-15','2090-05-15','Monthly',9.99,'Active'),
(10,5,1,'j.example','2024-02-01','2090-05-15','2090-05-15','Monthly',0.01,'Active'),
(11,6,1,'k.example','2024-02-01','2090-05-15','2090-05-15','Monthly',-1.00,'Active'),
(12,6,9,'l.example','2024-02-01','2090-05-15','2090-05-15','Monthly',9.99,'Active'),
(13,6,1,'m.example','2024-02-01','0000-00-00','0000-00-00','Monthly',9.99,'Active'),
(14,6,1,'n.example','2024-02-01','2090-05-15','2090-05-15','Monthly',9.99,'Suspended'),
(15,77,1,'o.example','2024-02-01','2090-05-15','2090-05-15','Monthly',9.99,'Active');
/*!40101 SET SQL_MODE=@OLD_SQL_MODE */;
